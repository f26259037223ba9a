//! Prints the listing of a file: `cargo run -p trellis-dxil-frontend --example dis FILE`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(std::env::args().nth(1).ok_or("usage: dis FILE")?)?;
    let input = trellis_dxil_frontend::read_with_debug_info(&bytes)?;
    print!(
        "{}",
        trellis_dxil_frontend::disasm::disassemble(
            &input.module,
            Some(&input.shader),
            input.container.as_ref()
        )?
    );
    Ok(())
}
