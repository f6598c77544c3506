import ArgumentParser

/// The form in which a user passes a value.
enum ValueEncoding: String, ExpressibleByArgument, CaseIterable {
  case text = "text"
  case json = "json"
  case base64 = "base64"
  case raw = "raw"
}
