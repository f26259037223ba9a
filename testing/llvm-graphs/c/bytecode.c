// An interpreter of stack code: each operation ends with a jump to the dispatch of the next one.

enum { PUSH, ADD, SUB, MUL, DUP, SWAP, DROP, JUMP, JUMP_ZERO, LOAD, STORE, CALL, RETURN, HALT };

#define DEPTH 64

int run(const unsigned char *code, int length, int *memory, int fuel) {
    int stack[DEPTH], returns[DEPTH], top = 0, calls = 0, at = 0, a, b;

dispatch:
    if (fuel-- <= 0) return -1;
    if (at < 0 || at >= length) goto bad;
    switch (code[at++]) {
    case PUSH: goto push;
    case ADD: goto add;
    case SUB: goto sub;
    case MUL: goto mul;
    case DUP: goto dup;
    case SWAP: goto swap;
    case DROP: goto drop;
    case JUMP: goto jump;
    case JUMP_ZERO: goto jump_zero;
    case LOAD: goto load;
    case STORE: goto store;
    case CALL: goto call;
    case RETURN: goto ret;
    case HALT: goto halt;
    default: goto bad;
    }

push:
    if (top == DEPTH || at == length) goto bad;
    stack[top++] = code[at++];
    goto dispatch;
add:
    if (top < 2) goto underflow;
    b = stack[--top];
    a = stack[--top];
    stack[top++] = a + b;
    goto dispatch;
sub:
    if (top < 2) goto underflow;
    b = stack[--top];
    a = stack[--top];
    stack[top++] = a - b;
    goto dispatch;
mul:
    if (top < 2) goto underflow;
    b = stack[--top];
    a = stack[--top];
    stack[top++] = a * b;
    goto dispatch;
dup:
    if (top < 1) goto underflow;
    if (top == DEPTH) goto bad;
    stack[top] = stack[top - 1];
    top++;
    goto dispatch;
swap:
    if (top < 2) goto underflow;
    a = stack[top - 1];
    stack[top - 1] = stack[top - 2];
    stack[top - 2] = a;
    goto dispatch;
drop:
    if (top < 1) goto underflow;
    top--;
    goto dispatch;
jump_zero:
    if (top < 1) goto underflow;
    if (stack[--top] != 0) {
        at++;
        goto dispatch;
    }
    // Falls through: the way of a taken jump.
jump:
    if (at >= length) goto bad;
    at += (signed char)code[at];
    goto dispatch;
load:
    if (top < 1) goto underflow;
    stack[top - 1] = memory[stack[top - 1] & 15];
    goto dispatch;
store:
    if (top < 2) goto underflow;
    a = stack[--top];
    memory[a & 15] = stack[--top];
    goto dispatch;
call:
    if (calls == DEPTH) goto bad;
    returns[calls++] = at + 1;
    goto jump;
ret:
    if (calls == 0) goto halt;
    at = returns[--calls];
    goto dispatch;

underflow:
    memory[0]++;
    if (memory[0] < 3) {
        // Some code may ask for more than there is: zero, and once again.
        stack[top++] = 0;
        at--;
        goto dispatch;
    }
bad:
    return -2;
halt:
    return top > 0 ? stack[top - 1] : 0;
}
