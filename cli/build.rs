//! Embeds the schema files, so that the schema commands work without a checkout.

fn main() {
    winetl_codegen::build::embed_sources();
}
