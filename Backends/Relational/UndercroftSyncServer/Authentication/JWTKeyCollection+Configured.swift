#if SyncServer
  import JWTKit
  import UndercroftCore
  import UndercroftFoundation

  extension JWTKeyCollection {
    /// Adds the configured key, which verifies only the given algorithms.
    func add(_ key: JWTVerificationKey, for algorithms: [JWTAlgorithmName]) throws {
      guard let first = algorithms.first else {
        throw JWTAuthenticator.unusable("no algorithm is configured")
      }
      switch key {
      case .keySet(let json):
        do { try add(jwksJSON: json) } catch {
          throw JWTAuthenticator.unusable(
            "the JSON Web Key Set cannot be read, or a key has no kid")
        }
      case .secret(let secret):
        guard algorithms.count == 1, let digest = first.digest else {
          throw JWTAuthenticator.unusable("a secret needs exactly one of HS256, HS384 and HS512")
        }
        guard secret.count >= 32 else {
          throw JWTAuthenticator.unusable(
            "the secret has \(secret.count) bytes, but the minimum is 32 bytes")
        }
        add(hmac: HMACKey(from: secret), digestAlgorithm: digest)
      case .pem(let pem):
        guard algorithms.count == 1 else {
          throw JWTAuthenticator.unusable("a key in the PEM format needs exactly one algorithm")
        }
        do { try add(pem: pem, for: first) } catch let error as StorageError { throw error } catch {
          throw JWTAuthenticator.unusable(
            "the file is not a public key in the PEM format for \(first.rawValue)")
        }
      }
    }

    private func add(pem: String, for algorithm: JWTAlgorithmName) throws {
      switch algorithm {
      case .rs256:
        add(rsa: try Insecure.RSA.PublicKey(pem: pem), digestAlgorithm: .sha256)
      case .es256: add(ecdsa: try ES256PublicKey(pem: pem))
      case .es384: add(ecdsa: try ES384PublicKey(pem: pem))
      case .edDSA: add(eddsa: try EdDSA.PublicKey(pem: pem))
      case .hs256, .hs384, .hs512:
        throw JWTAuthenticator.unusable("\(algorithm.rawValue) needs a secret, not a public key")
      }
    }
  }

  extension JWTAlgorithmName {
    fileprivate var digest: DigestAlgorithm? {
      switch self {
      case .hs256: .sha256
      case .hs384: .sha384
      case .hs512: .sha512
      default: nil
      }
    }
  }
#endif
