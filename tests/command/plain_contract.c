/*
 * plain_contract: whether standard input can be read by the plainest program that there is: scanf
 * for N, the radius, the box, and four numbers for each particle, and then nothing but the end.
 * Says on standard error what it cannot read.
 */
#include <stdio.h>

int main(void)
{
    int count = 0;
    double value;
    if (scanf("%d", &count) != 1 || count < 1) {
        fprintf(stderr, "there is no N\n");
        return 1;
    }
    for (int k = 0; k < 3 + 4 * count; k++) {
        if (scanf("%lf", &value) != 1) {
            fprintf(stderr, "number %d after N is missing\n", k);
            return 1;
        }
    }
    if (scanf("%lf", &value) != EOF) {
        fprintf(stderr, "there is something after the last particle\n");
        return 1;
    }
    return 0;
}
