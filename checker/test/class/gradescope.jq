# gradescope.jq: true if results.json has only fields that Gradescope documents, with the types that it documents:
# https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format

def optional($name; kind): if has($name) then .[$name] | kind else true end;
def only($names): (keys - $names) == [];
def is_text: type == "string";
def is_number: type == "number";
def is_visibility: IN("hidden", "after_due_date", "after_published", "visible");
def is_format: IN("text", "html", "simple_format", "md", "ansi");
def is_object: type == "object";

def is_test:
    is_object
    and optional("score"; is_number) and optional("max_score"; is_number)
    and optional("status"; IN("passed", "failed"))
    and optional("name"; is_text) and optional("name_format"; is_format)
    and optional("number"; is_text)
    and optional("output"; is_text) and optional("output_format"; is_format)
    and optional("tags"; type == "array" and all(is_text))
    and optional("visibility"; is_visibility)
    and optional("extra_data"; is_object)
    and only(["score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags",
        "visibility", "extra_data"]);

def is_place:
    is_object
    and (.name | is_text) and (.value | is_number or is_text)
    and optional("order"; IN("asc", "desc"))
    and only(["name", "value", "order"]);

is_object
and optional("score"; is_number)
and optional("execution_time"; is_number and . == floor and . >= 0)
and optional("output"; is_text) and optional("output_format"; is_format)
and optional("test_output_format"; is_format) and optional("test_name_format"; is_format)
and optional("visibility"; is_visibility) and optional("stdout_visibility"; is_visibility)
and optional("extra_data"; is_object)
and optional("tests"; type == "array" and all(.[]; is_test))
and optional("leaderboard"; type == "array" and all(.[]; is_place))
# without a score of its own, each test needs one
and (has("score") or (has("tests") and (.tests | length > 0 and all(.[]; has("score")))))
and only(["score", "execution_time", "output", "output_format", "test_output_format", "test_name_format", "visibility",
    "stdout_visibility", "extra_data", "tests", "leaderboard"])
