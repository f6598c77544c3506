#if SyncServer
  import HTTPTypes
  import UndercroftSync

  /// A path of the server.
  enum Route: Sendable, Equatable {
    /// A request of the protocol.
    case message(SyncRequest.Endpoint)
    /// The stream of pokes.
    case events
    /// The request that waits for pokes.
    case wait
    /// The test whether the process runs.
    case live
    /// The test whether the server can answer requests.
    case ready
    /// The metrics.
    case metrics

    /// The beginning of the paths of version 1 of the protocol.
    static let prefix = "/sync/v1/"

    /// Finds the route of a path, or returns `nil` for an unknown path.
    init?(path: String) {
      switch path {
      case "/health/live": self = .live
      case "/health/ready": self = .ready
      case "/metrics": self = .metrics
      case Self.prefix + "events": self = .events
      case Self.prefix + "wait": self = .wait
      default:
        guard path.hasPrefix(Self.prefix),
          let endpoint = SyncRequest.Endpoint(rawValue: String(path.dropFirst(Self.prefix.count)))
        else { return nil }
        self = .message(endpoint)
      }
    }

    /// The methods of the route, in the form of the field `Allow`.
    var methods: [HTTPRequest.Method] {
      switch self {
      case .message, .wait: [.post]
      case .events: [.get]
      case .live, .ready, .metrics: [.get, .head]
      }
    }

    /// Whether the route is for the operator of the server, and needs no token.
    var isAdministrative: Bool {
      switch self {
      case .live, .ready, .metrics: true
      case .message, .events, .wait: false
      }
    }

    /// The name in metrics and logs.
    var name: String {
      switch self {
      case .message(let endpoint): endpoint.rawValue
      case .events: "events"
      case .wait: "wait"
      case .live: "live"
      case .ready: "ready"
      case .metrics: "metrics"
      }
    }
  }
#endif
