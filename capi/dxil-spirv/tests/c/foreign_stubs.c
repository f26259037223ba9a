/* The other functions of the test's library: they return 0. */

#include <stddef.h>

long stub(void);
long stub(void)
{
    return 0;
}

#define FUNCTION(result, name, ...) long dxil_spv_##name(void) __attribute__((weak, alias("stub")));
#include "functions.h"
