"""What calls send and what answers say, as fields: the OpenAPI schema is made from them."""
