type Requirement = Readonly<Record<string, readonly string[]>>;

interface Operation {
  readonly security?: readonly Requirement[];
}

/** The parts of the OpenAPI document that the sign-in needs. */
export interface ApiDocument {
  readonly security: readonly Requirement[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> };
}

/** Of the identity provider. */
export interface SignInEndpoints {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

/** The document with a sign-in beside each access token that a caller could paste. */
export function withSignIn(
  document: ApiDocument,
  { authorizationUrl, tokenUrl }: SignInEndpoints,
  scopes: readonly string[],
): ApiDocument {
  const signIn = {
    type: 'oauth2',
    description: 'Sign in at the identity provider, in a window of its own.',
    flows: {
      authorizationCode: {
        authorizationUrl,
        tokenUrl,
        scopes: Object.fromEntries(scopes.map((scope) => [scope, ''])),
      },
    },
  };
  return {
    ...document,
    security: withAlternative(document.security),
    paths: mapValues(document.paths, (path) => mapValues(path, signInOf)),
    components: {
      ...document.components,
      securitySchemes: { signIn, ...document.components.securitySchemes },
    },
  };
}

function signInOf(operation: Operation): Operation {
  const { security } = operation;
  return security === undefined ? operation : { ...operation, security: withAlternative(security) };
}

/** Several requirements are alternatives. No requirement stays none. */
function withAlternative(requirements: readonly Requirement[]): readonly Requirement[] {
  return requirements.flatMap((requirement) => [
    ...Object.values(requirement).map((scopes) => ({ signIn: scopes })),
    requirement,
  ]);
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
