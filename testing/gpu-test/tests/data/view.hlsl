// The view in a pixel shader.

uint4 main(uint view : SV_ViewID) : SV_Target
{
    return uint4(view, view * 10, 7, 9);
}
