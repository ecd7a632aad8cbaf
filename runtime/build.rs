//! Generates the parsers from the schema.

fn main() {
    winetl_codegen::build::generate();
}
