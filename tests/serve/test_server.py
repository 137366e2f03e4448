"""The server of --serve: who may ask, what it answers, how it ends.

use: test_server.py HIERA_TRANSFORM
Exit: 0 good, 1 a check failed, 77 this hiera-transform has no server."""

import gzip
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "page"))

import numbers_of_blocks as blocks_of  # noqa: E402
import pages  # noqa: E402
import traces  # noqa: E402
from checks import Checks  # noqa: E402
from server import Server  # noqa: E402

PATHS = ["/", "/block/tile-0-0", "/where?expr=1", "/block/head", "/nothing", "/?token=" + "0" * 32, "/?token=", "/?token"]
NO_BLOCKS = ["/block/tile-99-0", "/block/tile-0-1", "/block/tile-0", "/block/tile-0-0-0", "/block/tile--1-0", "/block/tile-0x0-0", "/block/tile-4294967296-0",
             "/block/", "/block", "/block/head", "/block/../../etc/passwd", "/../etc/passwd", "/%2e%2e/etc/passwd", "/block/operation-99999999", "/block/waits-99999999", "/block/messages-x", "/block/operation-",
             "/block/sites-a", "/block/sites-1,", "/block/tile-%00-0", "/favicon.ico", "//", "/block/tile-0-0/"]


def check_gate(check, transform, trace):
    with Server(transform, trace) as server, Server(transform, trace) as other:
        check.true("tokens differ", server.token != other.token)
        for path in PATHS:
            check.equal(f"{path} without the cookie", 403, server.ask(path)[0])
        check.equal("token on another path", 403, server.ask(f"/where?token={server.token}")[0])
        for host in ("evil.example", f"evil.example:{server.port}", f"127.0.0.1:{server.port + 1}", "127.0.0.1", f"127.0.0.2:{server.port}", ""):
            check.equal(f"token with Host {host!r}", 403, server.ask(f"/?token={server.token}", host=host)[0])
        status, headers, _ = server.enter()
        check.equal("exchange", (303, "/"), (status, headers["Location"]))
        words = {word.strip() for word in headers["Set-Cookie"].split(";")[1:]}
        check.equal("the cookie's attributes", {"HttpOnly", "SameSite=Strict", "Path=/"}, words)
        check.true("the cookie is not the token", server.token not in headers["Set-Cookie"])
        check.equal("the token works once", 403, server.ask(f"/?token={server.token}", cookie=False)[0])
        check.equal("the token again in the browser that has entered", 303, server.ask(f"/?token={server.token}")[0])
        check.equal("the page", 200, server.ask("/")[0])
        check.equal("localhost", 200, server.ask("/", host=f"LOCALHOST:{server.port}")[0])
        check.equal("the cookie under another Host", 403, server.ask("/", host="evil.example")[0])
        check.equal("a wrong cookie", 403, server.ask("/", cookie=False, headers={"Cookie": f"hiera-{server.port}=" + "0" * 32})[0])
        other.cookie = server.cookie
        check.equal("the cookie of another server", 403, other.ask("/")[0])


def check_requests(check, transform, trace):
    with Server(transform, trace) as server:
        server.enter()
        for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "X"):
            check.equal(method, 405, server.ask("/", method=method)[0])
            check.equal(f"{method} without the cookie", 403, server.ask("/", method=method, cookie=False)[0])
        check.equal("a body", 413, server.ask("/", headers={"Content-Length": "5"}, body=b"hello")[0])
        for path in NO_BLOCKS:
            check.equal(path, 404, server.ask(path)[0])
        for path in ("/", "/block/tile-0-0", "/nothing"):
            _, headers, _ = server.ask(path, headers={"Origin": "https://evil.example"})
            check.equal(f"{path}: headers", ("no-referrer", "nosniff", "no-store", None),
                        tuple(headers[name] for name in ("Referrer-Policy", "X-Content-Type-Options", "Cache-Control", "Access-Control-Allow-Origin")))
            check.true(f"{path}: policy", "default-src 'none'" in headers["Content-Security-Policy"] and "frame-ancestors 'none'" in headers["Content-Security-Policy"])
        check.true("the page asks its own server only", "connect-src 'self';" in server.ask("/")[1]["Content-Security-Policy"])


def check_blocks(check, transform, folder, name, trace, *part):
    """What a block says is what the page of --html says."""
    page, served = os.path.join(folder, name + ".html"), os.path.join(folder, name + "-served.html")
    subprocess.run([transform, trace, "--html", page, "--quiet", *part], check=False, timeout=300)
    file = pages.blocks(page)
    with Server(transform, trace, "--quiet", *part) as server:
        server.enter()
        with open(served, "wb") as out:
            out.write(server.ask("/")[2])
        inline = pages.blocks(served)
        ask = lambda block: zlib.decompress(server.ask("/block/" + block)[2], -15)  # noqa: E731
        head, theirs = json.loads(inline.pop("head")), json.loads(file["head"])
        check.equal(f"{name}: who says that it is served", (1, 0), (head["served"], theirs["served"]))
        check.equal(f"{name}: blocks in the page", {}, {k: "differs" for k, v in inline.items() if file.get(k) != v})
        check.equal(f"{name}: blocks of the file that are not there", [], [k for k in file if k not in inline and k != "head" and k.split("-")[0] not in ("tile", "arrows", "bands")])
        for kind in ("tile", "arrows", "bands"):
            check.equal(f"{name}: {kind} of the whole run", file[f"{kind}-0-0"], ask(f"{kind}-0-0"))
        for number, detail in enumerate(theirs["details"]):
            check.equal(f"{name}: level {number}", (detail["width"], detail["merged"]), (head["details"][number]["width"], head["details"][number]["merged"]))
            if name == "forms" and head["details"][number]["tiles"] > 1000:
                continue  # the other runs have fewer
            (exact, merged), (served_exact, served_merged) = blocks_of.level(theirs, number, file.get), blocks_of.level(head, number, ask)
            check.equal(f"{name}: operations of level {number}", (len(exact), merged, []), (len(served_exact), served_merged, sorted(set(exact) ^ set(served_exact))[:5]))
        last = head["details"][-1]
        check.equal(f"{name}: merged at the last level", 0, last["merged"])
        check_relations(check, name, file, ask, len(head["classes"]))
        check_search(check, name, theirs, file, ask, server)


def check_relations(check, name, file, ask, classes):
    """Messages and waits of single operations are those of the whole run."""
    total, messages = blocks_of.arrows(file["arrows-0-0"])
    for message in messages[:20] if total == len(messages) else []:
        for row in (message[0], message[7], message[8]):
            expected = sorted(one for one in messages if row in (one[0], one[7], one[8]))
            check.equal(f"{name}: messages of {row}", (len(expected), expected), (lambda n, given: (n, sorted(given)))(*blocks_of.arrows(ask(f"messages-{row}"))))
    totals, waits = blocks_of.waits(file["waits"], classes)
    check.equal(f"{name}: waits of each class", totals, [sum(one[0] == number for one in waits) for number in range(classes)])
    for wait in waits[:20]:
        row = wait[3][0]
        check.equal(f"{name}: waits of {row}", [one for one in waits if one[3][0] == row], blocks_of.waits(ask(f"waits-{row}"), classes)[1])


def check_search(check, name, head, file, ask, server):
    """Searches find what the levels of the file have."""
    all_rows = sorted(row for number in range(len(head["details"])) for row in blocks_of.level(head, number, file.get)[0])
    if len(all_rows) != head["run"]["operations"]:
        return
    site = all_rows[0][4]
    check_found(check, f"{name}: of a site", {row for row in all_rows if row[4] == site}, blocks_of.found(ask(f"sites-{site}")))
    longest = sorted(row[3] for row in all_rows)[-3]
    _, _, body = server.ask(f"/where?expr=duration%20%3E%3D%20{longest}ns")
    check_found(check, f"{name}: where", {row for row in all_rows if row[3] >= longest}, blocks_of.found(zlib.decompress(body, -15)))


def check_found(check, what, expected, found):
    """All are counted, and the longest 5000 are given."""
    total, rows = found
    check.equal(f"{what}: how many", (len(expected), min(len(expected), 5000)), (total, len(rows)))
    check.equal(f"{what}: others", [], sorted(set(rows) - expected)[:5])


def check_where(check, transform, trace):
    with Server(transform, trace) as server:
        server.enter()
        for path in ("/where", "/where?expr=", "/where?expr=((", "/where?expr=nothing%3D%3D1", "/where?expr=%ff%fe", "/where?expr=" + "(" * 50000):
            status, headers, body = server.ask(path)
            check.equal(path[:40], (400, True), (status, headers["Content-Type"].startswith("text/plain") and len(body) > 0))
        check.true("what is wrong is said", b"column" in server.ask("/where?expr=((")[2])


def check_operation(check, transform, folder):
    """Each operation of a run with more operations than a page describes."""
    trace = os.path.join(folder, "many.xml")
    traces.many(trace, 201000)
    with open(trace, encoding="utf-8") as file:
        calls = [line for line in file if line.lstrip().startswith(("<hieraMPI", "<hieraRegion"))]
    elsewhere = ("level", "operation", "file", "line", "start_time", "finish_time")
    zipped = os.path.join(folder, "zipped.xml.gz")
    with open(trace, "rb") as plain, gzip.open(zipped, "wb", compresslevel=1) as packed:
        packed.write(plain.read())
    for path in (trace, zipped):
        with Server(transform, path) as server:
            server.enter()
            for row in (0, 100, 200001):
                known = dict(ask_operation(server, row))
                expected = {name: text for name, text in re.findall(r'(\w+)="([^"]*)"', calls[row]) if name not in elsewhere}
                check.equal(f"{path}: operation {row}", expected, {name: str(known.get(name)) for name in expected})
            os.unlink(path)
            check.equal(f"{path}: it is gone", "the trace has changed or is gone", dict(ask_operation(server, 1)).get("others"))


def ask_operation(server, row):
    return json.loads(zlib.decompress(server.ask(f"/block/operation-{row}")[2], -15))


def check_many(check, transform, trace):
    """Several clients at once get what one gets."""
    with Server(transform, trace) as server:
        server.enter()
        expected = {path: server.ask(path)[2] for path in ("/", "/block/tile-0-0", "/block/arrows-0-0", "/nothing")}
        wrong = []

        def work():
            for _ in range(12):
                wrong.extend(path for path, body in expected.items() if server.ask(path)[2] != body)

        workers = [threading.Thread(target=work) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        check.equal("answers to clients at once", [], wrong)


def check_bad(check, transform, trace):
    """What is no request harms nobody. A client that is slow keeps nobody waiting."""
    with Server(transform, trace) as server:
        server.enter()
        slow = [socket.create_connection((server.host, server.port)) for _ in range(20)]
        for plug in slow:
            plug.sendall(b"GET / HTTP/1.1\r\nHost: ")
        host = f"Host: {server.host}:{server.port}\r\nCookie: {server.cookie}\r\n".encode()
        for raw in (b"", b"\r\n" * 1000, b"\0" * 5000, b"GET\r\n\r\n", b"GET /" + b"a" * 300000 + b" HTTP/1.1\r\n\r\n",
                    b"GET / HTTP/1.1\r\n" + host + b"X: y\r\n" * 50000 + b"\r\n", b"GET / HTTP/9.9\r\n\r\n", bytes(range(256)) * 40,
                    b"GET /block/tile-%-0 HTTP/1.1\r\n" + host + b"Connection: close\r\n\r\n", b"GET /%zz%00%ff HTTP/1.1\r\n" + host + b"Connection: close\r\n\r\n",
                    b"GET /?" + b"&" * 50000 + b" HTTP/1.1\r\n" + host + b"Connection: close\r\n\r\n", b"GET / HTTP/1.1\r\nCookie: " + b";=" * 20000 + b"\r\n\r\n",
                    b"POST / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
                    b"GET / HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n"):
            answer = server.send(raw)
            check.true(f"answer to {raw[:30]!r}", not answer.startswith(b"HTTP/1.1 200"), answer[:80])
            check.equal(f"after {raw[:30]!r}", 200, server.ask("/")[0])
        for plug in slow:
            plug.close()
        check.equal("exit status", 0, server.end()[0])


def check_end(check, transform, trace):
    for number in (signal.SIGINT, signal.SIGTERM):
        with Server(transform, trace) as server:
            with socket.create_connection((server.host, server.port)) as plug:
                plug.sendall(b"GET / HTTP/1.1\r\n")
                status, said = server.end(number)
            check.equal(f"end by {number.name}", 0, status)
            check.true("what to do is said", "works once" in said, said)
    with Server(transform, trace, "--quiet") as server:
        check.equal("nothing is said with --quiet", (0, ""), server.end())
    with Server(transform, trace, "--quiet", option="--serve=localhost:0") as server:
        in_use = run(transform, trace, f"--serve=127.0.0.1:{server.port}")
        check.equal("a port in use", (2, True), (in_use.returncode, "in use" in in_use.stderr))
    if socket.has_ipv6 and os.path.exists("/proc/net/if_inet6") and open("/proc/net/if_inet6", encoding="ascii").read().strip():
        with Server(transform, trace, "--quiet", option="--serve=[::1]:0") as server:
            check.equal("IPv6", 403, server.ask("/", host=f"[::1]:{server.port}")[0])
            check.equal("IPv6, exchange", 303, server.ask(f"/?token={server.token}", host=f"[::1]:{server.port}")[0])


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)


def check_addresses(check, transform, trace):
    for address in ("x", "127.0.0.1", ":8080", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:http", "::1:80", "[127.0.0.1]:80", "example.com:80", "1.2.3.4.5:1"):
        done = run(transform, trace, f"--serve={address}")
        check.equal(f"--serve={address}", (2, True, ""), (done.returncode, "is not an address" in done.stderr, done.stdout))
    done = run(transform, "--serve", os.path.join(os.path.dirname(trace), "nothing.xml"))
    check.equal("a trace that is not there", (3, ""), (done.returncode, done.stdout))


def check_warning(check, transform, trace):
    """A server that listens on all interfaces warns, one on loopback does not. The first one is in a network of its own, without any interface."""
    alone = ["unshare", "--map-root-user", "--net"]
    if not shutil.which("unshare") or run(*alone, "true").returncode != 0:
        print("no network of its own: the warning of a server on all interfaces is not tested")
        return
    for address, warns in (("0.0.0.0:0", True), ("127.0.0.1:0", False)):
        script = ("ip link set lo up 2>/dev/null; " f'exec "{transform}" "{trace}" --quiet --serve={address}')
        with subprocess.Popen([*alone, "sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8") as process:
            line = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[1]
        check.true(f"{address}: the address that it prints", line.startswith("http://127.0.0.1:"), line)
        check.equal(f"{address}: whether it warns", warns, "warning: other machines can reach this server, and what is sent is not encrypted" in said)


def main(transform):
    check = Checks()
    golden = os.path.join(HERE, "..", "golden")
    trace = os.path.join(HERE, "..", "page", "nested.xml")
    if "without libmicrohttpd" in run(transform, trace, "--serve=x").stderr:
        print("this hiera-transform has no server")
        return 77
    with tempfile.TemporaryDirectory(prefix="hiera-serve-") as folder:
        check_gate(check, transform, trace)
        check_requests(check, transform, trace)
        check_addresses(check, transform, trace)
        check_warning(check, transform, trace)
        for path in ("figure4", "traces/forms"):  # the second one has many kinds of waits
            check_blocks(check, transform, folder, os.path.basename(path), os.path.join(golden, path))
        job = traces.ranks(os.path.join(folder, "job"), 16)
        check_blocks(check, transform, folder, "job", job)
        check_blocks(check, transform, folder, "part", job, "--from", "4", "--to", "8.25", "--ranks", "0-7")
        loop = os.path.join(folder, "loop.xml")
        traces.many(loop, 20000)
        check_blocks(check, transform, folder, "loop", loop)
        check_where(check, transform, trace)
        check_operation(check, transform, folder)
        check_many(check, transform, loop)
        check_bad(check, transform, trace)
        check_end(check, transform, trace)
    print(f"{check.done} checks, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
