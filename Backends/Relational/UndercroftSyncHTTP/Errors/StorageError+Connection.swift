#if SyncHTTP
  import AsyncHTTPClient
  import NIOCore
  import NIOSSL
  import UndercroftCore
  import UndercroftSyncCompression
  import UndercroftSyncTimeouts

  extension StorageError {
    /// Returns the error for a connection that failed, or for an answer that cannot be read.
    static func connection(to host: String, failedWith error: any Error) -> StorageError {
      if let error = error as? StorageError { return error }
      let (reason, suggestion) = ConnectionFailure.explanation(of: error)
      return StorageError(
        .unavailable, "cannot exchange messages with the server \(quoted(host)): \(reason)",
        suggestion: suggestion, backend: "sync", underlying: error)
    }
  }

  /// The interpretation of errors of the HTTP library.
  enum ConnectionFailure {
    /// Returns whether the same request can succeed later.
    static func isTemporary(_ error: any Error) -> Bool {
      switch error {
      case is StorageError, is AnswerError, is CancellationError, is TimeoutError: false
      case let error as HTTPClientError: !permanent.contains(error)
      // A certificate that was refused remains refused.
      default: !isOfTLS(error)
      }
    }

    private static let permanent: [HTTPClientError] = [
      .alreadyShutdown, .cancelled, .emptyHost, .invalidURL, .proxyAuthenticationRequired,
    ]

    private static func isOfTLS(_ error: any Error) -> Bool {
      switch error {
      case NIOSSLError.uncleanShutdown: false
      case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: true
      default: false
      }
    }

    /// Returns the reason for an error, and the recommended action.
    static func explanation(of error: any Error) -> (reason: String, suggestion: String) {
      let network =
        "verify the network connection and the address of the server; no change was lost"
      switch error {
      case let error as AnswerError: return (error.reason, error.suggestion)
      case is TimeoutError:
        return ("the answer was not complete in time", network)
      case let error as HTTPClientError: return explanation(of: error)
      case let error as IOError:
        return (SystemError(number: error.errnoCode).description.lowercased(), network)
      case let error where isOfTLS(error):
        return (
          "TLS failed: \(escaped(String("\(error)".prefix(300))))",
          """
          verify that the certificate of the server is valid for this host, and pass a certificate \
          that the system does not know in HTTPSyncOptions.trustedCertificates
          """
        )
      default: return (escaped(String("\(error)".prefix(300))), network)
      }
    }

    /// Returns the reason for an error, and the recommended action.
    ///
    /// The description of an error about a header contains the header, and so possibly a token.
    private static func explanation(of error: HTTPClientError) -> (String, String) {
      switch error {
      case .proxyAuthenticationRequired:
        (
          "the proxy demands a user name and password",
          "add them to the address of the proxy: http://user:password@proxy.example.org:3128"
        )
      case .invalidProxyResponse:
        (
          "the proxy has refused the connection, or cannot connect to the server",
          "verify HTTPSyncOptions.proxy, or ask the operator of the proxy to allow the server"
        )
      default: (error.shortDescription, network)
      }
    }

    private static let network =
      "verify the network connection and the address of the server; no change was lost"
  }

  /// The error for an answer that violates a limit or the format of its encoding.
  enum AnswerError: Error {
    case tooLarge
    case undecodable
    case unknownEncoding
    case noMemory

    /// Creates the error for an answer that cannot be decompressed.
    init(_ error: GzipError) {
      self =
        switch error {
        case .tooLarge: .tooLarge
        case .damaged: .undecodable
        case .noMemory: .noMemory
        }
    }

    fileprivate var reason: String {
      switch self {
      case .tooLarge: "the answer is larger than every message of the protocol"
      case .undecodable: "the answer is truncated, or is not compressed with gzip as it claims"
      case .unknownEncoding: "the answer is compressed with a method that was not requested"
      case .noMemory: "zlib cannot allocate enough memory to decompress the answer"
      }
    }

    fileprivate var suggestion: String {
      switch self {
      case .tooLarge, .undecodable, .unknownEncoding:
        """
        verify the address of the server, and that no program between this device and the server \
        changes its answers
        """
      case .noMemory: "free some memory, or raise the memory limit of the process"
      }
    }
  }
#endif
