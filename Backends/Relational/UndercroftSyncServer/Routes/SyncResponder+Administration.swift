#if SyncServer
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import UndercroftFoundation
  import UndercroftSync

  extension SyncResponder {
    /// Answers a request for the health or the metrics of the server.
    func administer(_ route: Route) async throws -> Response {
      switch route {
      case .live: return Self.text("live\n")
      case .ready:
        guard !core.isStopping else { throw ServerProblem.stopping }
        let server = core.server
        // The scope does not exist: reading its version shows that the store can be read.
        do { _ = try await core.workers.run { try server.head(of: "") } } catch {
          throw ServerProblem.unavailable(
            "the store of the server cannot be read", underlying: error)
        }
        return Self.text("ready\n")
      default:
        let text = core.metrics.text(streams: core.events.count, pending: core.workers.count)
        return Self.text(text, PrometheusText.mediaType)
      }
    }

    private static func text(
      _ text: String, _ type: String = "text/plain; charset=utf-8"
    ) -> Response {
      Response(
        status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
  }
#endif
