/* Lower bound of reading with libxml2: a SAX2 parse that only counts elements.
 *
 * Usage: sax_floor TRACE…; prints the number of elements. */
#include <libxml/parser.h>
#include <stdio.h>

static void count(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int n_namespaces,
                  const xmlChar **namespaces, int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    (void)name, (void)prefix, (void)uri, (void)n_namespaces, (void)namespaces, (void)n_attributes, (void)n_defaulted;
    (void)attributes;
    ++*(long *)data;
}

int main(int argc, char **argv)
{
    long n = 0;
    xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC, .startElementNs = count};
    for (int i = 1; i < argc; i++)
        if (xmlSAXUserParseFile(&handler, &n, argv[i]) != 0)
            return 1;
    printf("%ld\n", n);
    return 0;
}
