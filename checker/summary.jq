# summary.jq: a verdict in one line, after $label; with $next also what to do next.

def left($width): . + " " * ([$width - length, 0] | max);
def right($width): " " * ([$width - length, 0] | max) + .;
def figure: if . >= 100 then round elif . >= 1 then . * 10 | round / 10
    else . * 1000 | round / 1000 end | tostring;

def rate: if .rate.value == null then "" else
    ("\(.rate.value | figure) \(.rate.unit)" | right(14)) +
    (if .share then "\(.share * 100 | figure) % of the limit" | right(22) else "" end) +
    ", \(.rate.how)" end;

($label | left(22)) + (if .status == "could not check" then .status
    else "rung \(.rung) of \(.rungs)" + rate end),
(if $next == "" then empty else "    next: \(.next // "nothing, every rung is reached")" end)
