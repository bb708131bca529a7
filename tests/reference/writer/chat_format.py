"""How a dialogue becomes the prompt of the built-in chat model: in Python for the training, and as the file's chat template."""

import json

SPECIAL = [
    "<|end|>",
    "<|begin|>",
    "<|system|>",
    "<|tools|>",
    "<|user|>",
    "<|assistant|>",
    "<|tool|>",
    "<tool_call>",
    "</tool_call>",
]
END, BEGIN = SPECIAL[:2]

CHAT_TEMPLATE = """\
{{- bos_token }}
{%- if tools %}{{ '<|tools|>' }}
    {%- for tool in tools %}
        {%- set function = tool.function or tool %}
        {%- set parameters = function.parameters or {} %}
        {{- function.name + '(' }}
        {%- for name, schema in (parameters.properties or {}).items() %}
            {{- ',' if not loop.first }}{{ name }}
            {{- '' if name in (parameters.required or []) else '?' }}{{ ':' }}
            {{- schema.enum | join('|') if schema.enum else (schema.type if schema.type is string else 'any') }}
        {%- endfor %}
        {{- '): ' + (function.description or '') + '\\n' }}
    {%- endfor %}{{ '<|end|>' }}
{%- endif %}
{%- for message in messages %}
    {%- set role = 'system' if message.role == 'developer' else message.role %}
    {%- if role not in ['system', 'user', 'assistant', 'tool'] %}
        {{- raise_exception('This model knows the roles system, user, assistant and tool') }}
    {%- endif %}
    {{- '<|' + role + '|>' + (message.content or '') }}
    {%- for call in message.tool_calls or [] %}
        {%- set function = call.function or call %}
        {%- set given = function.arguments %}
        {{- '<tool_call>{"name": "' + function.name + '", "arguments": ' }}
        {{- (given if given is string else given | tojson) + '}</tool_call>' }}
    {%- endfor %}{{ '<|end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"""


def tool_line(tool):
    function = tool["function"]
    parameters = function["parameters"]
    described = [
        name
        + ("" if name in parameters["required"] else "?")
        + ":"
        + ("|".join(schema["enum"]) if "enum" in schema else schema["type"])
        for name, schema in parameters["properties"].items()
    ]
    return f"{function['name']}({','.join(described)}): {function['description']}\n"


def parts_of(dialogue):
    """The special tokens and the texts of the prompt, each with whether the model writes it."""
    yield BEGIN, False
    if dialogue.tools:
        yield "<|tools|>", False
        yield "".join(map(tool_line, dialogue.tools)), False
        yield END, False
    for message in dialogue.messages:
        is_own = message["role"] == "assistant"
        yield f"<|{message['role']}|>", False
        if message["content"]:
            yield message["content"], is_own
        for call in message.get("tool_calls", []):
            yield "<tool_call>", True
            yield json.dumps(call["function"]), True
            yield "</tool_call>", True
        yield END, is_own


def ids_of(dialogue, bpe):
    """The ids, and for each whether the model writes it."""
    ids, own = [], []
    for part, is_own in parts_of(dialogue):
        new = [SPECIAL.index(part)] if part in SPECIAL else bpe.encode(part)
        ids += new
        own += [is_own] * len(new)
    return ids, own
