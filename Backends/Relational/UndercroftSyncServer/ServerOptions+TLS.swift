#if SyncServer
  import NIOSSL
  import UndercroftCore
  import UndercroftFoundation

  extension ServerOptions.CertificateFiles {
    /// Returns the configuration of TLS with this certificate.
    func configuration() throws(StorageError) -> TLSConfiguration {
      let certificates: [NIOSSLCertificate]
      do { certificates = try NIOSSLCertificate.fromPEMFile(chain.path) } catch {
        throw unusable(
          "certificate", chain,
          "it cannot be read, or contains no valid certificate in the PEM format", error)
      }
      let key: NIOSSLPrivateKey
      do { key = try NIOSSLPrivateKey(file: privateKey.path, format: .pem) } catch {
        throw unusable(
          "private key", privateKey,
          "it cannot be read, or contains no private key in the PEM format without a passphrase",
          error)
      }
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      // The context of the server is created later, where an error would be reported as that of the
      // address.
      do { _ = try NIOSSLContext(configuration: configuration) } catch {
        throw unusable(
          "private key", privateKey, "it does not match the certificate \(quoted(chain.path))",
          error)
      }
      return configuration
    }

    private func unusable(
      _ kind: String, _ file: URL, _ reason: String, _ error: any Error
    ) -> StorageError {
      StorageError(
        .misuse, "cannot use the \(kind) file \(quoted(file.path)): \(reason)",
        suggestion: "state a certificate and its own key, in files that the server may read",
        underlying: error)
    }
  }
#endif
