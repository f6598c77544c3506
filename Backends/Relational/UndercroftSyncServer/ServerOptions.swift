#if SyncServer
  public import UndercroftFoundation
  public import UndercroftSync

  /// The addresses and times of a ``SyncHTTPServer``.
  public struct ServerOptions: Sendable {
    /// The address on which the server listens.
    public var host = "127.0.0.1"
    /// The port on which the server listens, or 0 for a free one.
    public var port = 8090
    /// The address for health and metrics, if ``adminPort`` is stated.
    public var adminHost = "127.0.0.1"
    /// The port for health and metrics, or `nil` to answer these requests on ``port`` if ``host``
    /// is a loopback address.
    public var adminPort: Int?
    /// The files of the certificate chain and of the private key, in the PEM format, or `nil` for
    /// plain HTTP.
    public var certificate: CertificateFiles?
    /// Whether the server may use plain HTTP on an address that other computers reach.
    ///
    /// Tokens are then not protected, unless a proxy encrypts the connections.
    public var allowsPlainHTTP = false
    /// The seconds between two comments of an event stream.
    public var heartbeatSeconds: Double = 20
    /// The seconds after which connections are closed that remain open when the server stops.
    public var stopSeconds: Double = 10
    /// The schedule on which old tombstones, operations and conflicts are removed, or `nil` to
    /// remove none.
    public var compaction: CompactionSchedule? = CompactionSchedule()

    /// Creates the default options.
    public init() {}

    /// The files of a certificate.
    public struct CertificateFiles: Sendable, Hashable {
      /// The file with the certificate of the server, followed by those of its issuers.
      public var chain: URL
      /// The file with the private key.
      public var privateKey: URL

      /// Creates the names of the files.
      public init(chain: URL, privateKey: URL) {
        self.chain = chain
        self.privateKey = privateKey
      }
    }

    /// The schedule of the removal of old data.
    public struct CompactionSchedule: Sendable, Hashable {
      /// The data that is retained.
      public var retention: SyncRetention
      /// The seconds between two runs.
      public var seconds: Double

      /// Creates a schedule, by default with a run each hour.
      public init(retention: SyncRetention = SyncRetention(), seconds: Double = 3_600) {
        self.retention = retention
        self.seconds = seconds
      }
    }
  }

  extension ServerOptions {
    /// Whether only programs on this computer can reach ``host``.
    var isLoopback: Bool { Self.isLoopback(host) }

    /// Returns whether an address can be reached only on this computer.
    static func isLoopback(_ host: String) -> Bool {
      host == "localhost" || host == "::1" || host.wholeMatch(of: /127(\.\d{1,3}){3}/) != nil
    }
  }
#endif
