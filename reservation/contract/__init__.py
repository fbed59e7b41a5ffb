"""Floor 4: what the interface promises: tables of fields, shapes of answers, operations.

One file for each noun of the API. The resources read bodies and queries by these tables, and
the OpenAPI document is made of them.
"""
