#if SyncServer
  public import UndercroftFoundation

  /// An algorithm of signatures of JSON Web Tokens. (RFC 7518, RFC 8037)
  ///
  /// The algorithm `none` does not exist here.
  public enum JWTAlgorithmName: String, Sendable, Hashable, CaseIterable {
    /// HMAC with SHA-256.
    case hs256 = "HS256"
    /// HMAC with SHA-384.
    case hs384 = "HS384"
    /// HMAC with SHA-512.
    case hs512 = "HS512"
    /// RSA with PKCS #1 v1.5 and SHA-256.
    case rs256 = "RS256"
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
    /// ECDSA with P-384 and SHA-384.
    case es384 = "ES384"
    /// Ed25519.
    case edDSA = "EdDSA"
  }

  /// The key with which the signatures of JSON Web Tokens are verified.
  public enum JWTVerificationKey: Sendable {
    /// A secret of at least 32 bytes for the algorithms `HS…`.
    case secret(Data)
    /// A public key in the PEM format for one of the other algorithms.
    case pem(String)
    /// A JSON Web Key Set, each of whose keys has a `kid`. (RFC 7517)
    case keySet(json: String)
  }
#endif
