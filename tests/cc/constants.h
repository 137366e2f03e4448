#define TEN 10
