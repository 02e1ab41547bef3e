// The reference: every route of the API, from its own description.
import { get } from "./api.js";
import { byId, el } from "./dom.js";
import { markdown } from "./markdown.js";

const typeOf = (schema = {}) =>
  schema.type ?? schema.$ref?.split("/").pop() ?? (schema.anyOf ?? schema.oneOf)?.map(typeOf).join(" or ") ?? schema.const ?? "any";

function bodyFields(operation, schemas) {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const name = (schema?.$ref ?? schema?.allOf?.[0]?.$ref)?.split("/").pop();
  const { properties = {}, required = [] } = schemas[name] ?? {};
  return Object.entries(properties).map(([field, about]) => [
    field,
    `${typeOf(about)}${required.includes(field) ? ", required" : ""}. ${about.description ?? ""}`,
  ]);
}

function route(path, method, operation, schemas) {
  const parameters = (operation.parameters ?? []).map((parameter) => [
    parameter.name,
    `${parameter.in}, ${typeOf(parameter.schema)}${parameter.required ? ", required" : ""}. ${parameter.description ?? ""}`,
  ]);
  const responses = Object.entries(operation.responses).map(([status, { description }]) => [status, description]);
  const rows = [["scope", operation["x-scope"]], ...parameters, ...bodyFields(operation, schemas), ...responses];
  return el(
    "details",
    { class: "route" },
    el("summary", {}, el("code", { class: "method" }, method.toUpperCase()), el("code", {}, path), el("span", { class: "what" }, operation.summary)),
    el(
      "div",
      { class: "more-about" },
      ...markdown(operation.description ?? ""),
      el("dl", {}, ...rows.flatMap(([name, about]) => [el("dt", {}, el("code", {}, name)), el("dd", {}, ...markdown(about))])),
    ),
  );
}

function sections({ paths, components }) {
  const byTag = new Map();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const [tag] = operation.tags;
      byTag.set(tag, [...(byTag.get(tag) ?? []), route(path, method, operation, components.schemas)]);
    }
  }
  return [...byTag].flatMap(([tag, routes]) => [el("h2", {}, tag), ...routes]);
}

try {
  const description = await get("/openapi.json");
  byId("about").replaceChildren(...markdown(description.info.description));
  byId("routes").replaceChildren(...sections(description));
} catch (problem) {
  byId("about").textContent = `${problem.message} ${problem.remedy}`;
}
