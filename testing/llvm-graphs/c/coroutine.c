// Coroutines by a switch: each goes on where it last gave a value, in the middle of its loops.

struct walk {
    int at, i, j, k, limit, value;
};

#define BEGIN(walk) switch ((walk)->at) { case 0:
#define GIVE(walk, what)            \
    do {                            \
        (walk)->value = (what);     \
        (walk)->at = __LINE__;      \
        return 1;                   \
    case __LINE__:;                 \
    } while (0)
#define DONE(walk) } (walk)->at = -1; return 0

int pairs(struct walk *w) {
    BEGIN(w);
    for (w->i = 0; w->i < w->limit; w->i++) {
        for (w->j = w->i; w->j < w->limit; w->j++) {
            if ((w->i + w->j) % 3 == 0) continue;
            GIVE(w, w->i * w->limit + w->j);
            if (w->j - w->i > 5) break;
        }
        GIVE(w, -w->i);
    }
    DONE(w);
}

int primes(struct walk *w) {
    BEGIN(w);
    if (w->limit < 2) goto end;
    GIVE(w, 2);
    for (w->i = 3; w->i <= w->limit; w->i += 2) {
        for (w->k = 3; w->k * w->k <= w->i; w->k += 2) {
            if (w->i % w->k == 0) goto composite;
            if (w->k > 100) GIVE(w, 0);
        }
        GIVE(w, w->i);
    composite:;
    }
end:;
    DONE(w);
}

int both(struct walk *a, struct walk *b, int rounds) {
    int sum = 0;
    while (rounds-- > 0) {
        if (a->at >= 0 && pairs(a)) sum += a->value;
        else if (b->at < 0) break;
        if (b->at >= 0 && primes(b)) sum ^= b->value;
    }
    return sum;
}
