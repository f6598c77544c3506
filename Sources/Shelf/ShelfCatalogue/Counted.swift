/// Returns a count with its noun, such as "1 package" or "2 packages".
func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? one + "s")"
}
