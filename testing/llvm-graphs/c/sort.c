// Loops that are left two and three at once.

// Three numbers of a list with this sum.
int triple(const int *list, int count, int sum, int found[3]) {
    int tried = 0;
    for (int i = 0; i < count; i++) {
        if (list[i] > sum) continue;
        for (int j = i + 1; j < count; j++) {
            int rest = sum - list[i] - list[j];
            if (rest < 0) goto next;
            for (int k = j + 1; k < count; k++) {
                if (++tried > 10000) goto tired;
                if (list[k] == rest) {
                    found[0] = i;
                    found[1] = j;
                    found[2] = k;
                    goto done;
                }
                if (list[k] < 0) break;
            }
        }
    next:;
    }
tired:
    return -tried;
done:
    return tried;
}

// A quicksort with its own stack, that sorts short parts by insertion.
void sort(int *list, int count) {
    int lows[32], highs[32], top = 0, low = 0, high = count - 1;
    for (;;) {
        if (high - low < 8) {
            for (int i = low + 1; i <= high; i++) {
                int value = list[i], j = i;
                for (; j > low; j--) {
                    if (list[j - 1] <= value) break;
                    list[j] = list[j - 1];
                }
                list[j] = value;
            }
            goto pop;
        }
        int pivot = list[(low + high) / 2], i = low, j = high;
        do {
            while (list[i] < pivot) i++;
            while (pivot < list[j]) j--;
            if (i > j) break;
            int kept = list[i];
            list[i++] = list[j];
            list[j--] = kept;
        } while (i <= j);
        if (j - low < high - i) {
            if (i < high) {
                lows[top] = i;
                highs[top++] = high;
            }
            high = j;
        } else {
            if (low < j) {
                lows[top] = low;
                highs[top++] = j;
            }
            low = i;
        }
        if (low < high) continue;
    pop:
        if (top == 0) break;
        low = lows[--top];
        high = highs[top];
    }
}
