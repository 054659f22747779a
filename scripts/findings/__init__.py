"""The findings and the settled questions of `scripts/make_findings.py`: what is played, asked and written."""
