"""A server of hiera-transform --serve, for tests. It listens on loopback."""

import http.client
import re
import select
import signal
import socket
import subprocess

ADDRESS = re.compile(r"http://(127\.0\.0\.1|\[::1\]):(\d+)/\?token=([0-9a-f]{32})\n")


class Server:
    def __init__(self, transform, *arguments, option="--serve"):
        self.process = subprocess.Popen([transform, option, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, encoding="utf-8")
        if not select.select([self.process.stdout], [], [], 120)[0]:
            raise RuntimeError("the server has not started")
        self.line = self.process.stdout.readline()
        found = ADDRESS.fullmatch(self.line)
        if not found:
            raise RuntimeError(f"no address in {self.line!r}: {self.process.communicate()[1]}")
        self.host, self.port, self.token = found[1].strip("[]"), int(found[2]), found[3]
        self.cookie = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def ask(self, path, method="GET", cookie=True, host=None, headers=None, body=None):
        """The answer to a request: status, headers, bytes."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            if host != "":
                connection.putheader("Host", host or f"{self.host}:{self.port}")
            for name, value in {**({"Cookie": self.cookie} if cookie and self.cookie else {}), **(headers or {})}.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def enter(self):
        """Exchange the token for the cookie; the answer."""
        status, headers, body = self.ask(f"/?token={self.token}")
        self.cookie = (headers.get("Set-Cookie") or "").split(";")[0]
        return status, headers, body

    def send(self, raw, seconds=2):
        """Send bytes on a connection of their own, and read until the server closes it or says nothing more."""
        with socket.create_connection((self.host, self.port), timeout=seconds) as plug:
            answer = b""
            try:
                plug.sendall(raw)
                plug.shutdown(socket.SHUT_WR)
                while part := plug.recv(65536):
                    answer += part
            except OSError:
                pass
            return answer

    def end(self, number=signal.SIGINT):
        """End it with a signal; exit status, and what it said on standard error."""
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said
