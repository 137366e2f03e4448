"""Entities, DTDs and grammars in a trace, or named by it, are not used."""

from bad_input.case import BadInput, CALL


class Entities(BadInput):
    def test_an_entity_bomb(self):
        entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "lol"}">\n' for i in range(12))
        self.expect_unreadable(self.write(f"<!DOCTYPE processor [\n{entities}]>\n<processor rank='P0'>&e11;</processor>"),
                               says="entity")

    def test_a_parameter_entity_bomb(self):
        entities = "".join(f'<!ENTITY % e{i} "{f"%e{i - 1};" * 10 if i else "lol"}">\n' for i in range(12))
        self.expect_unreadable(self.write(f"<!DOCTYPE processor [\n{entities}%e11;]>\n<processor rank='P0'/>"),
                               says="entity")

    def test_external_entities(self):
        for system in ("file:///etc/passwd", "http://localhost:9/x", "/etc/hostname"):
            with self.subTest(system):
                self.expect_unreadable(
                    self.write(f'<!DOCTYPE processor [<!ENTITY x SYSTEM "{system}">]>\n<processor rank="P0">&x;</processor>'),
                    says="entity")

    def test_the_dtd_that_a_trace_names_is_not_read(self):
        self.write('<!ENTITY % boom "x"> not a DTD', "trace.dtd")
        path = self.write('<!DOCTYPE processor SYSTEM "trace.dtd">\n<processor rank="P0" init="0" finalize="1">'
                          + CALL.format("") + "</processor>")
        self.assertEqual(self.expect_count(1, path), "")

    def test_a_grammar_in_the_trace(self):
        for declaration in ("<!ELEMENT processor ANY>", "<!ATTLIST processor x CDATA #IMPLIED>", "<!NOTATION n SYSTEM 'x'>"):
            self.expect_unreadable(self.write(f"<!DOCTYPE processor [{declaration}]>\n<processor rank='P0'/>"),
                                   says="declares a grammar")
