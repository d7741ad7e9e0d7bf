/** Version of this package, as servers and records are told. A test compares it with package.json. */
export const version = "0.1.0";
