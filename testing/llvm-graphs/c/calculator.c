// Expressions by the shunting yard: numbers, + - * / %, unary minus, parentheses; values and signs on two stacks.

static int rank(int sign) {
    switch (sign) {
    case '(': return 0;
    case '+': case '-': return 1;
    case '*': case '/': case '%': return 2;
    default: return 3;
    }
}

int calculate(const char *text, int *result) {
    int values[32], have = 0, open = 0, c, a, b;
    char signs[32];

operand:
    while ((c = *text) == ' ') text++;
    if (c == '(' || c == '-') {
        if (open == 32) return -5;
        signs[open++] = c == '-' ? '~' : '(';
        text++;
        goto operand;
    }
    if (c < '0' || c > '9') return -1;
    if (have == 32) return -5;
    values[have] = 0;
    do {
        values[have] = values[have] * 10 + *text++ - '0';
    } while (*text >= '0' && *text <= '9');
    have++;

sign:
    while ((c = *text) == ' ') text++;
    switch (c) {
    case '+': case '-': case '*': case '/': case '%': case ')': case 0:
        break;
    default:
        return -2;
    }
    while (open > 0) {
        int top = signs[open - 1];
        if (top == '(') {
            if (c != ')') break;
            open--;
            text++;
            goto sign;
        }
        if (c && c != ')' && rank(top) < rank(c)) break;
        open--;
        b = values[--have];
        if (top == '~') {
            values[have++] = -b;
            continue;
        }
        a = values[--have];
        switch (top) {
        case '+': a += b; break;
        case '-': a -= b; break;
        case '*': a *= b; break;
        default:
            if (b == 0) return -3;
            if (top == '/') a /= b;
            else a %= b;
        }
        values[have++] = a;
    }
    if (c == ')') return -4;
    if (c == 0) {
        if (open > 0) return -4;
        *result = values[0];
        return 0;
    }
    if (open == 32) return -5;
    signs[open++] = (char)c;
    text++;
    goto operand;
}
