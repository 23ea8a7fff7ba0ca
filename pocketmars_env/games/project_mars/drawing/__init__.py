"""Pictures of the battlefield, as SVG and as text."""
