declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  export interface SwaggerUi {
    initOAuth(settings: {
      readonly clientId: string;
      readonly scopes: readonly string[];
      readonly usePkceWithAuthorizationCodeGrant: boolean;
      readonly additionalQueryStringParams: Readonly<Record<string, string>>;
    }): void;
  }

  /** Of Swagger UI, to the service or to the identity provider. */
  export interface UiRequest {
    readonly url: string;
    readonly body?: unknown;
  }

  /** https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/ */
  interface Settings {
    readonly domNode: HTMLElement;
    readonly spec: object;
    readonly deepLinking: boolean;
    readonly displayRequestDuration: boolean;
    readonly filter: boolean;
    readonly oauth2RedirectUrl: string;
    readonly requestInterceptor: (request: UiRequest) => UiRequest;
    readonly validatorUrl: null;
  }

  const SwaggerUIBundle: (settings: Settings) => SwaggerUi;
  export default SwaggerUIBundle;
}
