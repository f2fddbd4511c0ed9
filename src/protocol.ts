/** The wire types, generated from the protocol crate. All other files import them from here. */
export * from "../crates/protocol/generated/protocol";
