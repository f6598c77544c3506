#if SyncServer
  import NIOSSL
  import UndercroftCore
  import UndercroftFoundation

  extension ServerOptions.CertificateFiles {
    /// Returns the configuration of TLS with this certificate.
    func configuration() throws(StorageError) -> TLSConfiguration {
      let certificates: [NIOSSLCertificate]
      do { certificates = try NIOSSLCertificate.fromPEMFile(chain.path) } catch {
        throw unreadable(chain, error)
      }
      let key: NIOSSLPrivateKey
      do { key = try NIOSSLPrivateKey(file: privateKey.path, format: .pem) } catch {
        throw unreadable(privateKey, error)
      }
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      return configuration
    }

    private func unreadable(_ file: URL, _ error: any Error) -> StorageError {
      StorageError(
        .misuse, "cannot read the certificate file \(quoted(file.path)): \(error)",
        suggestion: "state files in the PEM format that the server may read", underlying: error)
    }
  }
#endif
