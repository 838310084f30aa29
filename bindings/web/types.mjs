// Writes the TypeScript types of the result objects from their JSON Schemas, so that both always say the same.

import { readFileSync, writeFileSync } from "node:fs";

const SCHEMAS = [
  ["Solution", "../../crates/results/src/output/schema.json"],
  ["Report", "../../crates/results/src/output/report/schema.json"],
  // A line of the workbench has a schema of its own; this is the whole answer.
  ["Workbench", "../../crates/results/src/output/workbench/schema.json", "answer"],
];

const capitalised = (name) => name.replace(/(^|_)([a-z])/g, (_, __, letter) => letter.toUpperCase());

/** Writes one schema as an interface, and each of its `$defs` as a type. */
function declarations(name, schema) {
  const reference = (path) => {
    const [, first, ...rest] = path.split("/");
    if (first === "$defs") return `${name}${capitalised(rest[0])}`;
    // "#/properties/result/properties/pv" is the type of a field.
    const fields = [first, ...rest].filter((_, index) => index % 2 === 1);
    return name + fields.map((field) => `["${field}"]`).join("");
  };
  const alternatives = (types) => [...new Set(types)].join(" | ");
  const type = (schema, indent) => {
    if (schema.$ref) return reference(schema.$ref);
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return alternatives(schema.enum.map((value) => JSON.stringify(value)));
    const parts = schema.oneOf ?? schema.anyOf;
    if (parts) return alternatives(parts.map((part) => type(part, indent)));
    return alternatives([schema.type ?? "unknown"].flat().map((kind) => ofKind(kind, schema, indent)));
  };
  const ofKind = (kind, schema, indent) => {
    if (kind === "integer") return "number";
    if (kind === "array") return `Array<${schema.items ? type(schema.items, indent) : "unknown"}>`;
    if (kind === "object") return schema.properties ? object(schema, indent) : "Record<string, unknown>";
    return kind;
  };
  const comment = (text, indent) => (text ? `${indent}/** ${text.replaceAll("*/", "* /")} */\n` : "");
  const object = (schema, indent = "") => {
    const inner = `${indent}  `;
    const fields = Object.entries(schema.properties).map(([field, value]) => {
      const mark = schema.required?.includes(field) ? "" : "?";
      return `${comment(value.description, inner)}${inner}${field}${mark}: ${type(value, inner)};\n`;
    });
    return `{\n${fields.join("")}${indent}}`;
  };
  const definitions = Object.entries(schema.$defs ?? {}).map(
    ([field, value]) => `${comment(value.description, "")}export type ${name}${capitalised(field)} = ${type(value, "")};\n`,
  );
  return `${comment(schema.description, "")}export interface ${name} ${object(schema)}\n\n${definitions.join("\n")}`;
}

const folder = new URL(".", import.meta.url);
const texts = SCHEMAS.map(([name, file, part]) => {
  const schema = JSON.parse(readFileSync(new URL(file, folder)));
  return declarations(name, part ? { ...schema.$defs[part], $defs: schema.$defs } : schema);
});
const head = "// Written by types.mjs from the JSON Schemas of matesolve.\n\n";
writeFileSync(new URL("js/results.d.ts", folder), head + texts.join("\n"));
