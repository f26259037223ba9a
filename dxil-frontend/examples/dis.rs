//! Prints the listing of a file.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(std::env::args().nth(1).ok_or("usage: dis FILE")?)?;
    let mut input = dxil_frontend::read(&bytes)?;
    if let Some(c) = input.container {
        if let Some(p) = c.programs().filter_map(Result::ok).find(|p| p.part == dxil_frontend::container::FourCC::DEBUG_PROGRAM) {
            input = dxil_frontend::Input::read_program(c, p)?;
        }
    }
    print!("{}", dxil_frontend::disasm::disassemble(&input.module, Some(&input.shader), input.container.as_ref())?);
    Ok(())
}
