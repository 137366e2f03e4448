/* Characters that must be escaped in the value of an XML attribute. */
#pragma once

/* X(character, its escape) */
#define HIERA_XML_ESCAPES(X)                                                                                           \
    X('<', "&lt;")                                                                                                     \
    X('>', "&gt;")                                                                                                     \
    X('&', "&amp;")                                                                                                    \
    X('"', "&quot;")                                                                                                   \
    X('\t', "&#9;")                                                                                                    \
    X('\n', "&#10;")                                                                                                   \
    X('\r', "&#13;")

/* @return  the escape of a character; NULL if it needs none */
static inline const char *hiera_xml_escape(char character)
{
    switch (character) {
#define HIERA_ESCAPE(c, text)                                                                                          \
    case c:                                                                                                            \
        return text;
        HIERA_XML_ESCAPES(HIERA_ESCAPE)
#undef HIERA_ESCAPE
    default:
        return 0;
    }
}
