// Elimination over the integers modulo a prime, with several early ends.

#define P 10007

static int inverse(int a) {
    int result = 1;
    for (int power = P - 2; power; power >>= 1) {
        if (power & 1) result = result * a % P;
        a = a * a % P;
    }
    return result;
}

// Solves rows of `size + 1` numbers. Gives the rank, or -1 if there is no solution.
int solve(int *rows, int size, int *solution) {
    int rank = 0;
    if (size <= 0 || size > 16) return -2;
    for (int column = 0; column < size; column++) {
        int pivot = rank, factor;
        for (;; pivot++) {
            if (pivot == size) goto next;
            if (rows[pivot * (size + 1) + column] % P) break;
        }
        for (int i = 0; i <= size; i++) {
            int kept = rows[pivot * (size + 1) + i];
            rows[pivot * (size + 1) + i] = rows[rank * (size + 1) + i];
            rows[rank * (size + 1) + i] = kept;
        }
        factor = inverse(rows[rank * (size + 1) + column]);
        for (int i = column; i <= size; i++) rows[rank * (size + 1) + i] = rows[rank * (size + 1) + i] * factor % P;
        for (int row = 0; row < size; row++) {
            if (row == rank) continue;
            factor = rows[row * (size + 1) + column];
            if (!factor) continue;
            for (int i = column; i <= size; i++) {
                int value = rows[row * (size + 1) + i] - factor * rows[rank * (size + 1) + i] % P;
                rows[row * (size + 1) + i] = value < 0 ? value + P : value;
            }
        }
        if (++rank == size) goto full;
    next:;
    }
    for (int row = rank; row < size; row++)
        if (rows[row * (size + 1) + size]) return -1;
full:
    for (int row = 0; row < size; row++) solution[row] = row < rank ? rows[row * (size + 1) + size] : 0;
    return rank;
}

// The first saddle point of a matrix.
int saddle(const int *cells, int rows, int columns) {
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            int value = cells[r * columns + c];
            for (int i = 0; i < columns; i++)
                if (cells[r * columns + i] < value) goto no;
            for (int i = 0; i < rows; i++)
                if (cells[i * columns + c] > value) goto no;
            return r * columns + c;
        no:;
        }
    return -1;
}
