// Searches that start again: in a table that another may change, and for the ends of a run of equal keys.

struct table {
    volatile int version;
    int count;
    int keys[64];
};

int lookup(const struct table *table, int key, int tries) {
    int low, high, version;
retry:
    if (tries-- == 0) return -2;
    version = table->version;
    if (version & 1) goto retry;
    low = 0;
    high = table->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table->version != version) goto retry;
        int found = table->keys[middle & 63];
        if (found == key) {
            if (table->version != version) goto retry;
            return middle;
        }
        if (found < key) low = middle + 1;
        else high = middle;
    }
    if (table->version != version) goto retry;
    return -1;
}

// The first and the last place of a key; the second half of the search is entered with the bounds of the first.
int range(const int *keys, int count, int key, int *first, int *last) {
    int low = 0, high = count, upper = 0;
    *first = *last = -1;
again:
    while (low < high) {
        int middle = (low + high) >> 1;
        if (keys[middle] < key) goto right;
        if (keys[middle] > key) goto left;
        if (upper) {
            *last = middle;
            goto right;
        }
        *first = middle;
    left:
        high = middle;
        continue;
    right:
        low = middle + 1;
    }
    if (*first < 0) return 0;
    if (!upper) {
        upper = 1;
        low = *first;
        high = count;
        goto again;
    }
    return *last - *first + 1;
}
