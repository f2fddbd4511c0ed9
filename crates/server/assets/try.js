// Lists the paths of openapi.json and sends requests to them.
const secret = document.querySelector("#secret");
const list = document.querySelector("#paths");
let session = "";

// A link is taken for a session once; anything else is taken for a session's secret.
async function authorization() {
  const text = secret.value.trim();
  const token = text.split("#token=")[1];
  if (token) {
    const answer = await fetch("session", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ by: "link", token }),
    });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.message);
    session = body.session;
    secret.value = session;
  } else if (text) {
    session = text;
  }
  return session ? { Authorization: `Bearer ${session}` } : {};
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function operation(path, method, what) {
  const fields = (what.parameters ?? []).map((parameter) => {
    const input = element("input", { name: parameter.name });
    input.dataset.in = parameter.in;
    return element("label", {}, `${parameter.name} `, input);
  });
  const body = what.requestBody ? element("textarea", { rows: 6, placeholder: "JSON" }) : null;
  const answer = element("pre");
  const send = element("button", { textContent: "Send" });
  send.onclick = async () => {
    answer.textContent = "…";
    try {
      let address = path;
      const query = new URLSearchParams();
      const headers = await authorization();
      for (const input of box.querySelectorAll("input")) {
        if (!input.value) continue;
        if (input.dataset.in === "path") address = address.replace(`{${input.name}}`, encodeURIComponent(input.value));
        else if (input.dataset.in === "query") query.set(input.name, input.value);
        else headers[input.name] = input.value;
      }
      if (body) headers["Content-Type"] = "application/json";
      const response = await fetch(query.size ? `${address}?${query}` : address, {
        method: method.toUpperCase(),
        headers,
        body: body?.value,
      });
      answer.textContent = `${response.status}\n`;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) answer.textContent += part.value;
    } catch (error) {
      answer.textContent = String(error);
    }
  };
  const title = element("summary", {}, element("b", { textContent: method.toUpperCase() }), `${path}: ${what.summary ?? ""}`);
  const box = element("details", {}, title, ...fields, ...(body ? [body] : []), send, answer);
  return box;
}

const paths = (await (await fetch("openapi.json")).json()).paths;
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, what] of Object.entries(methods)) list.append(operation(path, method, what));
}
