"use strict";

// All addresses are relative: the service may lie below a path prefix.
SwaggerUIBundle({
  dom_id: "#swagger-ui",
  url: "openapi.json",
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false, // a token is never stored
});
