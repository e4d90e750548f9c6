# emitted.jq: reads one message per line, and prints those that no format string can print.
#
#   jq --null-input --raw-input --raw-output --rawfile formats FILE --from-file emitted.jq
#
# FILE has one string literal of C per line, with its quotes. In a format, a directive for a number has to meet a
# number. A %s has to meet nothing, a name, a list of numbers, or a text that another format can print.

# Formats with fewer letters than this, such as "%s: %s", would fit every message.
def letters_min: 4;

# The longest chain of formats inside formats that is followed.
def depth_max: 3;

def unquoted: .[1:-1] | gsub("\\\\n"; " ") | gsub("\\\\(?<c>.)"; .c);

# A format as a list: {fixed: "text"}, {number: true}, {character: true} or {any: true}.
def parts:
    [match("%[-+ #0-9.*]*[hlzjt]*[a-zA-Z%]|[^%]+"; "g").string
     | if . == "%%" then {fixed: "%"}
       elif startswith("%") | not then {fixed: .}
       elif endswith("s") then {any: true}
       elif endswith("c") then {character: true}
       else {number: true} end];

def letters: map(.fixed // "") | add // "" | gsub("[^a-zA-Z]"; "") | length;

def number: "(?:[-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?|nan|inf)";

def is_name:
    . == "" or test("^\(number)(, \(number))*$") or test("^\\w+<<<[^<>]*>>>$") or test("^[\\w./-]+(:[0-9]+)?$");

# Where a part may begin in a text; without a part, the end of the text.
def places($text):
    if . == null then $text | length
    elif .fixed then .fixed as $fixed | $text | indices($fixed)[]
    else range(($text | length) + 1) end;

# True when one of $formats can print the text. For speed, formats whose longest fixed part is not in the text are dropped
# first.
def printable($formats; $depth):
    # True when the parts from $at on can print the text.
    def fits($formats; $parts; $at):
        . as $text
        | $parts[$at] as $part
        | if $part == null then $text == ""
          elif $part.fixed then startswith($part.fixed) and (.[$part.fixed | length:] | fits($formats; $parts; $at + 1))
          elif $part.character then length > 0 and (.[1:] | fits($formats; $parts; $at + 1))
          elif $part.number then
              any(match("^" + number).length; . as $length | $text[$length:] | fits($formats; $parts; $at + 1))
          else
              any($parts[$at + 1] | places($text);
                  . as $stop
                  | ($text[$stop:] | fits($formats; $parts; $at + 1))
                    and ($text[:$stop] | is_name or ($depth < depth_max and printable($formats; $depth + 1))))
          end;
    . as $text
    | [$formats[] | .longest as $longest | select($text | contains($longest))] as $formats
    | any($formats[]; .parts as $parts | $text | fits($formats; $parts; 0));

($formats | split("\n") | unique | map(select(length > 2) | unquoted | parts | select(letters >= letters_min)
    | {parts: ., longest: (map(.fixed // "") | max_by(length))})) as $formats
| inputs
| select(length > 0 and (printable($formats; 0) | not))
