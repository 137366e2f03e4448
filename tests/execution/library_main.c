/* A program that is wholly in a library: subject.c and others, with their main renamed. */
int library_main(int argc, char **argv);
int main(int argc, char **argv)
{
    return library_main(argc, argv);
}
