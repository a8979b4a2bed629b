import math,random,sys
s=float(sys.argv[1]); N=4000; W,H=80,40
cyl=[(20+2*math.cos(2*math.pi*k/256),20+2*math.sin(2*math.pi*k/256)) for k in range(256)]
open('cyl.txt','w').write('\n'.join('%.12g %.12g'%p for p in cyl)+'\n')
plate=[(20-2*math.cos(math.radians(45)),20+2*math.sin(math.radians(45))),(20+2*math.cos(math.radians(45)),20-2*math.sin(math.radians(45)))]
open('plate.txt','w').write('\n'.join('%.12g %.12g'%p for p in plate)+'\n')
random.seed(5); T=1.0; U=s*math.sqrt(2*T)
with open('in.txt','w') as f:
    f.write('%d\n0\n%d %d\n'%(N,W,H))
    n=0
    while n<N:
        x=random.random()*W; y=random.random()*H
        if (x-20)**2+(y-20)**2<4.05: continue
        f.write('%.12f %.12f %.12f %.12f\n'%(x,y,U+random.gauss(0,1),random.gauss(0,1))); n+=1
print(U)
from math import *
def I(n,x): return sum((x/2)**(2*k+n)/(factorial(k)*gamma(k+n+1)) for k in range(60))
print('cyl CD',4*sqrt(pi)/(3*s)*exp(-s*s/2)*((s*s+1.5)*I(0,s*s/2)+(s*s+.5)*I(1,s*s/2)))
al=radians(45); S=s*sin(al); CN=4/s**2*(S*exp(-S*S)/sqrt(pi)+(.5+S*S)*erf(S)); print('plate 45 CD CL',CN*sin(al),CN*cos(al))
