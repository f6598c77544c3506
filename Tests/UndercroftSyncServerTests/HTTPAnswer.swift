#if SyncServer
  import Foundation

  /// The answer of a server.
  struct HTTPAnswer: Sendable {
    let status: Int
    /// The fields by their names in lower case.
    let fields: [String: String]
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The code of the problem details in the body, or `nil` for any other body.
    var code: String? {
      guard fields["content-type"] == "application/problem+json" else { return nil }
      return (try? JSONDecoder().decode([String: ProblemMember].self, from: body))?["code"]?.text
    }

    private struct ProblemMember: Decodable {
      let text: String?

      init(from decoder: any Decoder) throws {
        text = try? decoder.singleValueContainer().decode(String.self)
      }
    }
  }
#endif
