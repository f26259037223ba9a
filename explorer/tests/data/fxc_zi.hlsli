uint twice(uint x)
{
    return x * 2 + 1;
}
