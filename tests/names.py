"""Names that would run a script if a page or picture contained them unescaped."""

EVIL_NAMES = (
    "</text><script>window.ran=1</script>",
    '"><img src=x onerror="window.ran=1">',
    "</title></script></style><svg onload=window.ran=1>",
    "{{data}} & <b>&lt;",
)
