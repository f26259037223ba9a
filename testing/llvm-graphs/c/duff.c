// Duff's device: a switch that enters a loop at any of its statements.

void copy(int *to, const int *from, int count) {
    int rounds = (count + 7) / 8;
    if (count <= 0) return;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
    }
}

// With a way out of each step.
int find(const int *list, int count, int wanted) {
    const int *start = list;
    int rounds = (count + 3) / 4;
    if (count <= 0) return -1;
    switch (count & 3) {
    case 0: do { if (*list++ == wanted) goto found;
    case 3:      if (*list++ == wanted) goto found;
    case 2:      if (*list++ == wanted) goto found;
    case 1:      if (*list == -1) break;
                 if (*list++ == wanted) goto found;
            } while (--rounds > 0);
    }
    return -1;
found:
    return (int)(list - start) - 1;
}
