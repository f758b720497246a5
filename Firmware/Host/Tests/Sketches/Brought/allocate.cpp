#include <string.h>

void* allocate() { return malloc(16); }
