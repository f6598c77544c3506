#include <gdbm.h>
