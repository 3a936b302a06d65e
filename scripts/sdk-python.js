/** Returns sdk/python/archipelago/api.py: a method for each operation of an OpenAPI document. */
export function pythonApi({ paths }) {
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => methodOf(path, method.toUpperCase(), operation)),
  );
  return `"""The REST operations of the platform. Generated from schema/openapi.json by \`npm run schema\`."""

from .transport import quote


class Api:
    """One method for each REST operation. An argument that is None is not sent."""

    def __init__(self, transport):
        self.transport = transport

${methods.join('\n')}`;
}

function methodOf(path, method, { operationId, summary, parameters = [], requestBody }) {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const given = [
    ...inPath.map(({ name }) => name),
    ...(requestBody ? [requestBody.required ? 'body' : 'body=None'] : []),
    ...inQuery.filter(({ required }) => required).map(({ name }) => name),
    ...inQuery.filter(({ required }) => !required).map(({ name }) => `${name}=None`),
  ];
  const docs = [...inPath, ...inQuery].map(({ name, description }) => `        :param ${name}: ${lineOf(description)}`);
  if (requestBody) docs.push(`        :param body: ${bodyOf(requestBody)}`);
  const address = path.replaceAll(/\{(\w+)\}/g, '{quote($1)}');
  const words = [`"${method}"`, inPath.length > 0 ? `f"${address}"` : `"${address}"`];
  if (inQuery.length > 0) words.push(`query={${inQuery.map(({ name }) => `"${name}": ${name}`).join(', ')}}`);
  if (requestBody) words.push('body=body');
  return `    def ${snakeCase(operationId)}(self${given.map((name) => `, ${name}`).join('')}):
        """${lineOf(summary)}.${docs.length > 0 ? `\n\n${docs.join('\n')}\n        ` : ''}"""
        return self.transport.call(${words.join(', ')})
`;
}

function bodyOf({ content }) {
  const [type] = Object.keys(content);
  if (type === 'application/octet-stream') return 'bytes';
  if (type === 'multipart/form-data') return 'a `transport.Form`';
  const { properties = {}, required = [] } = content[type].schema;
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name} (optional)`));
  return names.length > 0 ? `dict: ${names.join(', ')}` : 'dict or list';
}

function snakeCase(name) {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function lineOf(text = '') {
  return text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim();
}
