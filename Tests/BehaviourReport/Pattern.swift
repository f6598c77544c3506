import ArgumentParser

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An extended regular expression, as `grep -E` understands it. (`regcomp`, POSIX)
struct Pattern: ~Copyable {
  private var compiled = regex_t()

  init(_ text: String) throws {
    guard regcomp(&compiled, text, REG_EXTENDED | REG_NOSUB) == 0 else {
      throw ValidationError(
        "cannot use --only \"\(text)\": the text is not an extended regular expression")
    }
  }

  deinit {
    var compiled = compiled
    regfree(&compiled)
  }

  func matches(among texts: [String]) -> [String] {
    var compiled = compiled
    return texts.filter { regexec(&compiled, $0, 0, nil, 0) == 0 }
  }
}
